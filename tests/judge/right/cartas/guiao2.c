/* Guiao 2: are the combinations of a test of one kind? If so, sort them by the highest card, equal ones as they came.
   Works on the bytes: a card is F0 9F 82|83 xx, and its low 12 bits are 0A0 + 16 * suit + value. */
#include <stdio.h>
#include <stdlib.h>

#define MAX 56

typedef struct {
    int cards[MAX]; /* 4 * value + suit, ascending */
    int size;
    int place; /* in the input */
} Play;

static char line[4096];

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void parse(Play *play) {
    const unsigned char *s = (const unsigned char *)line;
    play->size = 0;
    for (; s[0] == 0xF0 && play->size < MAX; s += 4) {
        int code = ((s[2] & 0x3F) << 6 | (s[3] & 0x3F)) - 0xA0;
        play->cards[play->size++] = 4 * (code % 16) + code / 16;
    }
    qsort(play->cards, play->size, sizeof(int), by_number);
}

/* 0 for nothing; else a number for the type: sets 1, sequences 2, double sequences 3. */
static int type(const Play *play) {
    int n = play->size, set = n > 0, sequence = n >= 3, pairs = n >= 6 && n % 2 == 0;
    for (int i = 1; i < n; i++) {
        int step = play->cards[i] / 4 - play->cards[i - 1] / 4;
        if (step != 0) set = 0;
        if (step != 1) sequence = 0;
        if (step != (i % 2 == 0)) pairs = 0;
    }
    return set ? 1 : sequence ? 2 : pairs ? 3 : 0;
}

static int by_highest(const void *a, const void *b) {
    const Play *p = a, *q = b;
    int difference = p->cards[p->size - 1] - q->cards[q->size - 1];
    return difference ? difference : p->place - q->place;
}

static void print(const Play *play) {
    for (int i = 0; i < play->size; i++) {
        int low = 0xA0 + 16 * (play->cards[i] % 4) + play->cards[i] / 4;
        printf("%s\xF0\x9F%c%c", i ? " " : "", 0x80 | low >> 6, 0x80 | (low & 0x3F));
    }
    putchar('\n');
}

static int number(void) { return fgets(line, sizeof line, stdin) ? atoi(line) : 0; }

int main(void) {
    int tests = number();
    for (int test = 1; test <= tests; test++) {
        int n = number(), same = 1;
        Play *plays = calloc(n > 0 ? n : 1, sizeof(Play));
        if (!plays) return 1;
        for (int i = 0; i < n; i++) {
            if (!fgets(line, sizeof line, stdin)) line[0] = '\0';
            parse(&plays[i]);
            plays[i].place = i;
            if (!type(&plays[i]) || type(&plays[i]) != type(&plays[0]) || plays[i].size != plays[0].size) same = 0;
        }
        printf("Teste %d\n", test);
        if (same && n > 0) {
            qsort(plays, n, sizeof(Play), by_highest);
            for (int i = 0; i < n; i++) print(&plays[i]);
        } else {
            puts("Combinações não iguais!");
        }
        free(plays);
    }
    return 0;
}
