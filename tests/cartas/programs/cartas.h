/* Cartas como números: 4 * valor + naipe, valores de 0 (ás) a 13 (rei). */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#define MAX 64
#define VALOR(c) ((c) / 4)
#define NAIPE(c) ((c) % 4)

typedef struct {
    int n, cartas[MAX], palavras;
} MAO;

static const wchar_t NAIPES[] = L"♠♥♦♣";
static const wchar_t VALORES[] = L"A23456789TJCQK";

static int compara(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int le_linha(wchar_t *linha) { return fgetws(linha, 1024, stdin) != NULL; }

static int le_numero(void) {
    wchar_t linha[1024];
    return le_linha(linha) ? (int)wcstol(linha, NULL, 10) : 0;
}

/* Lê uma linha de cartas, por qualquer ordem, e ordena-as. */
static MAO le_mao(void) {
    MAO m = {0};
    wchar_t linha[1024];
    int valor = -1;
    if (!le_linha(linha)) return m;
    for (wchar_t *s = linha; *s; s++) {
        const wchar_t *v = wcschr(VALORES, *s), *naipe = wcschr(NAIPES, *s);
        if (*s == L'1') valor = 9;
        else if (v) valor = (int)(v - VALORES);
        else if (naipe) {
            m.cartas[m.n++] = 4 * valor + (int)(naipe - NAIPES);
            m.palavras = 1;
        } else if (*s >= 0x1F0A1 && *s <= 0x1F0DE)
            m.cartas[m.n++] = 4 * ((*s - 0x1F0A0) % 16 - 1) + (*s - 0x1F0A0) / 16;
    }
    qsort(m.cartas, m.n, sizeof(int), compara);
    return m;
}

static void escreve(int carta, int palavras) {
    if (!palavras) printf("%lc", (wint_t)(0x1F0A1 + 16 * NAIPE(carta) + VALOR(carta)));
    else if (VALOR(carta) == 9) printf("10 %lc", (wint_t)NAIPES[NAIPE(carta)]);
    else printf("%lc %lc", (wint_t)VALORES[VALOR(carta)], (wint_t)NAIPES[NAIPE(carta)]);
}

/* O tipo (1 conjunto, 2 sequência, 3 dupla sequência, 0 nada) e o tamanho. */
static int tipo(const MAO *m, int *tamanho) {
    int conta[14] = {0}, primeiro = -1, ultimo = 0, valores = 0;
    for (int i = 0; i < m->n; i++) conta[VALOR(m->cartas[i])]++;
    for (int v = 0; v < 14; v++)
        if (conta[v]) {
            if (primeiro < 0) primeiro = v;
            ultimo = v;
            valores++;
        }
    if (valores == 1) {
        *tamanho = m->n;
        return 1;
    }
    for (int v = primeiro + 1; v <= ultimo; v++)
        if (conta[v] != conta[v - 1]) return 0;
    *tamanho = valores;
    if (valores < 3 || conta[primeiro] > 2) return 0;
    return 1 + conta[primeiro];
}
