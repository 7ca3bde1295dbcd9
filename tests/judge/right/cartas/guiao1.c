/* Guiao 1: the type of a combination and its highest card. Reads and prints wide characters. */
#include <locale.h>
#include <stdio.h>
#include <wchar.h>

#define BACK 0x1F0A0 /* the code point before the ace of spades */
#define MAX 1024

static int value(wchar_t card) { return (card - BACK) % 16; }
static int suit(wchar_t card) { return (card - BACK) / 16; }

/* The highest card of a line; counts the cards of each value. */
static wchar_t count(const wchar_t *line, int times[16], int *cards) {
    wchar_t best = 0;
    *cards = 0;
    for (int i = 0; i < 16; i++) times[i] = 0;
    for (; *line; line++) {
        if (*line <= BACK || *line >= BACK + 64) continue; /* the end of the line */
        times[value(*line)]++;
        (*cards)++;
        if (!best || value(*line) > value(best) || (value(*line) == value(best) && suit(*line) > suit(best)))
            best = *line;
    }
    return best;
}

static void say(const wchar_t *line) {
    int times[16], cards, first = 0, last = 0, even = 1;
    wchar_t best = count(line, times, &cards);
    for (int v = 1; v <= 14; v++)
        if (times[v]) {
            if (!first) first = v;
            last = v;
        }
    for (int v = first; v <= last; v++)
        if (times[v] != times[first]) even = 0;
    int values = last - first + 1;
    if (cards == 0 || !even)
        wprintf(L"Nada!\n");
    else if (values == 1)
        wprintf(L"conjunto com %d cartas onde a carta mais alta é %lc\n", cards, (wint_t)best);
    else if (values >= 3 && times[first] == 1)
        wprintf(L"sequência com %d cartas onde a carta mais alta é %lc\n", values, (wint_t)best);
    else if (values >= 3 && times[first] == 2)
        wprintf(L"dupla sequência com %d cartas onde a carta mais alta é %lc\n", values, (wint_t)best);
    else
        wprintf(L"Nada!\n");
}

int main(void) {
    wchar_t line[MAX];
    if (!setlocale(LC_ALL, "C.UTF-8")) setlocale(LC_ALL, "");
    if (!fgetws(line, MAX, stdin)) return 0;
    for (long left = wcstol(line, NULL, 10); left > 0 && fgetws(line, MAX, stdin); left--) say(line);
    return 0;
}
