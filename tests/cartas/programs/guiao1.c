#include "cartas.h"

int main(void) {
    const char *nomes[] = {"", "conjunto", "sequência", "dupla sequência"};
    setlocale(LC_CTYPE, "C.UTF-8");
    int n = le_numero();
    for (int i = 0; i < n; i++) {
        int tamanho = 0;
        MAO m = le_mao();
        int t = tipo(&m, &tamanho);
        if (t == 0) {
            printf("Nada!\n");
            continue;
        }
        printf("%s com %d cartas onde a carta mais alta é ", nomes[t], tamanho);
        escreve(m.cartas[m.n - 1], m.palavras);
        printf("\n");
    }
    return 0;
}
