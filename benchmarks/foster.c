/* What the compiled core is measured against: random play of whole deals with the rules of rulesets/foster.yaml written
   into the program, every move of them: marriages, the exchange at any time, closing before and after the draw, claims.

     gcc -O3 -march=native foster.c -o foster && ./foster DEALS

   prints one line: deals, moves, seconds, game points of either seat, deals that nobody won.

   With -DCOUNTER=KEY it draws its random numbers as variant_engine/simulate does under that key, in the same order, and
   must then come to the same numbers; benchmarks/figures.py sees to it. Otherwise it has the faster xorshift. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define COUNT(set) __builtin_popcountll(set)
#define LOWEST(set) __builtin_ctzll(set)

static const uint8_t VALUE[8] = {0, 0, 0, 2, 3, 4, 10, 11};
enum { ANNOUNCE = 32, EXCHANGE = 36, CLOSE = 38, CLOSE_UNDRAWN = 39, DRAW = 40 };
#define BIT(move) (1ull << (move))

#ifdef COUNTER
static uint64_t word_at(uint64_t counter) {
  uint64_t z = (uint64_t)COUNTER + (counter + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ z >> 27) * 0x94D049BB133111EBull;
  return z ^ z >> 31;
}
static uint64_t places[2];
#define CHOOSE(seat, below) (uint32_t)((word_at(places[seat]++) >> 32) * (below) >> 32)
#else
static uint64_t random_state = 88172645463325252ull;
static inline uint32_t choose(uint32_t below) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)((random_state >> 32) * (uint64_t)below >> 32);
}
#define CHOOSE(seat, below) choose(below)
#endif

static inline int nth(uint64_t set, uint32_t n) {
  while (n--) set &= set - 1;
  return LOWEST(set);
}

static void shuffle(uint8_t *pack, uint64_t number) {
#ifdef COUNTER
  uint64_t counter = number << 11;
  static const int order[24] = {7,  6,  5,  4,  3,  2,  15, 14, 13, 12, 11, 10,
                                23, 22, 21, 20, 19, 18, 31, 30, 29, 28, 27, 26};
  for (int i = 0; i < 24; i++) pack[i] = order[i];
  for (int last = 23; last > 0; last--) {
    int other = (word_at(counter++) >> 32) * (last + 1) >> 32;
    uint8_t card = pack[last];
    pack[last] = pack[other];
    pack[other] = card;
  }
  places[0] = number << 11 | 1 << 8;
  places[1] = number << 11 | 2 << 8;
#else
  (void)number;
  for (int last = 23; last > 0; last--) {
    int other = choose(last + 1);
    uint8_t card = pack[last];
    pack[last] = pack[other];
    pack[other] = card;
  }
#endif
}

static inline int worth(int loser_tricks, int loser_count) { return !loser_tricks ? 3 : loser_count < 33 ? 2 : 1; }

int main(int argc, char **argv) {
  long deals = argc > 1 ? atol(argv[1]) : 5000000, moves = 0, scored[2] = {0, 0}, ties = 0;
  uint8_t pack[24];
  for (int i = 0; i < 24; i++) pack[i] = i / 6 * 8 + i % 6 + 2;
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (long number = 0; number < deals; number++) {
    shuffle(pack, number);
    int seat = number & 1; /* forehand, dealt to first */
    uint32_t hand[2] = {0, 0};
    for (int i = 0; i < 3; i++) {
      hand[seat] |= 1u << pack[i] | 1u << pack[6 + i];
      hand[!seat] |= 1u << pack[3 + i] | 1u << pack[9 + i];
    }
    int turn_up = pack[12], trump = turn_up >> 3, nine = 8 * trump + 2, top = 13, open = 1, exhausted = 0;
    int count[2] = {0, 0}, pending[2] = {0, 0}, tricks[2] = {0, 0}, announced[2] = {0, 0};
    int closer = -1, trickless = 0, winner = -1, value = 0;
    for (;;) {
      /* The lead: announce, exchange and close as often as chance has it, then lead. */
      int led;
      for (;;) {
        if (count[seat] >= 66) {
          moves++;
          goto claimed;
        }
        uint32_t pairs = hand[seat] & 0x10101010u & hand[seat] >> 1;
        uint64_t set = hand[seat];
        if (pairs) set |= (uint64_t)((pairs >> 4 & 1) | (pairs >> 11 & 2) | (pairs >> 18 & 4) | (pairs >> 25 & 8)) << 32
                          & ~((uint64_t)announced[seat] << 32);
        if (!exhausted && tricks[seat] && hand[seat] >> nine & 1) set |= BIT(EXCHANGE);
        if (open) set |= BIT(CLOSE);
        int move = nth(set, CHOOSE(seat, COUNT(set)));
        moves++;
        if (move < 32) {
          led = move;
          break;
        }
        if (move == CLOSE) {
          open = 0;
          closer = seat;
          trickless = !tricks[!seat];
        } else if (move == EXCHANGE) {
          hand[seat] ^= 1u << nine | 1u << turn_up;
          turn_up = nine;
        } else {
          int suit = move - ANNOUNCE, gain = suit == trump ? 40 : 20;
          announced[seat] |= 1 << suit;
          moves++;
          if (tricks[seat]) {
            count[seat] += gain;
            if (count[seat] >= 66) goto claimed;
          } else {
            pending[seat] += gain;
          }
          led = 8 * suit + 4 + CHOOSE(seat, 2);
          break;
        }
      }
      hand[seat] ^= 1u << led;
      /* The answer, perhaps after an exchange. */
      int other = !seat, card;
      if (count[other] >= 66) {
        moves++;
        seat = other;
        goto claimed;
      }
      for (;;) {
        uint64_t set = hand[other];
        if (!open) {
          uint32_t same = hand[other] & 0xFFu << (led & 24);
          if (same) set = same;
        }
        if (!exhausted && tricks[other] && hand[other] >> nine & 1) set |= BIT(EXCHANGE);
        card = nth(set, CHOOSE(other, COUNT(set)));
        moves++;
        if (card < 32) break;
        hand[other] ^= 1u << nine | 1u << turn_up;
        turn_up = nine;
      }
      hand[other] ^= 1u << card;
      if ((led ^ card) < 8 ? card > led : card >> 3 == trump) seat = other;
      tricks[seat]++;
      count[seat] += VALUE[led & 7] + VALUE[card & 7] + pending[seat];
      pending[seat] = 0;
      if (open) {
        /* The winner draws, or closes without drawing. */
        moves++;
        if (count[seat] >= 66) goto claimed;
        if (CHOOSE(seat, 2)) {
          hand[seat] |= 1u << pack[top++];
          if (top == 24) {
            hand[!seat] |= 1u << turn_up;
            open = 0;
            exhausted = 1;
          } else {
            hand[!seat] |= 1u << pack[top++];
          }
        } else {
          open = 0;
          closer = seat;
          trickless = !tricks[!seat];
        }
      } else if (!hand[0]) {
        break;
      }
    }
    /* Every card has been played. The last trick counts ten, unless the talon was closed. */
    if (closer >= 0) {
      if (count[closer] >= 66) {
        winner = closer;
        value = worth(tricks[!closer], count[!closer]);
        if (count[!closer] >= 66) winner = -1;
      } else {
        winner = !closer;
        value = trickless ? 3 : 2;
      }
    } else {
      count[seat] += 10;
      int here = count[seat] >= 66, there = count[!seat] >= 66;
      if (here != there) {
        winner = here ? seat : !seat;
        value = worth(tricks[!winner], count[!winner]);
      }
    }
    goto over;
  claimed:
    winner = seat;
    value = closer >= 0 && closer != seat ? (trickless ? 3 : 2) : worth(tricks[!seat], count[!seat]);
  over:
    if (winner < 0)
      ties++;
    else
      scored[winner] += value;
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  double seconds = to.tv_sec - from.tv_sec + 1e-9 * (to.tv_nsec - from.tv_nsec);
  printf("%ld %ld %.6f %ld %ld %ld\n", deals, moves, seconds, scored[0], scored[1], ties);
}
