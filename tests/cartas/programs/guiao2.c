#include "cartas.h"

static int maior(const MAO *m) { return m->cartas[m->n - 1]; }

int main(void) {
    setlocale(LC_CTYPE, "C.UTF-8");
    int testes = le_numero();
    for (int teste = 1; teste <= testes; teste++) {
        int n = le_numero(), iguais = 1, palavras = 0, t0 = 0, tam0 = 0;
        MAO *m = malloc(n * sizeof(MAO));
        for (int i = 0; i < n; i++) {
            int tam = 0;
            m[i] = le_mao();
            int t = tipo(&m[i], &tam);
            palavras |= m[i].palavras;
            if (i == 0) t0 = t, tam0 = tam;
            if (t == 0 || t != t0 || tam != tam0) iguais = 0;
        }
        printf("Teste %d\n", teste);
        if (!iguais) printf("Combinações não iguais!\n");
        for (int i = 1; i < n; i++) {
            MAO x = m[i];
            int j = i;
            for (; j > 0 && maior(&m[j - 1]) > maior(&x); j--) m[j] = m[j - 1];
            m[j] = x;
        }
        for (int i = 0; iguais && i < n; i++)
            for (int j = 0; j < m[i].n; j++) {
                escreve(m[i].cartas[j], palavras);
                printf(j + 1 < m[i].n ? " " : "\n");
            }
        free(m);
    }
    return 0;
}
