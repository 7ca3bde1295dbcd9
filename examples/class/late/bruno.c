#include <locale.h>
#include <stdio.h>
#include <wchar.h>

int main(void) {
    wchar_t line[100], card, highest;
    int tests;
    setlocale(LC_ALL, "C.UTF-8");
    wscanf(L"%d", &tests);
    while (tests-- > 0 && wscanf(L"%99ls", line) == 1) {
        int times[16] = {0}, first = 15, last = 0, equal = 1;
        highest = 0;
        for (int i = 0; (card = line[i]); i++) {
            int value = card % 16;
            times[value]++;
            if (value < first) first = value;
            if (value > last || (value == last && card > highest)) last = value, highest = card;
        }
        for (int value = first; value <= last; value++)
            if (times[value] != times[first]) equal = 0;
        int size = last - first + 1, each = times[first];
        if (equal && size == 1)
            wprintf(L"conjunto com %d cartas onde a carta mais alta é %lc\n", each, highest);
        else if (equal && size >= 3 && each <= 2)
            wprintf(L"%lssequência com %d cartas onde a carta mais alta é %lc\n", each == 2 ? L"dupla " : L"", size, highest);
        else
            wprintf(L"Nada!\n");
    }
    return 0;
}
