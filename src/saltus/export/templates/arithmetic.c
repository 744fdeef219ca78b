static inline double least(double a, double b) { return a < b ? a : b; }
static inline double greatest(double a, double b) { return a > b ? a : b; }
static inline double sign_of(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }
static inline double quotient(double a, double b) { return trunc(a / b); }
static inline double modulo(double a, double b) { return a - floor(a / b) * b; }
static inline double remainder_of(double a, double b) { return a - trunc(a / b) * b; }

/* right := matrix^-1 right, by elimination with partial pivoting; both are overwritten. 0 if it is singular. */
static inline int solve_linear(double *matrix, double *right, int n)
{
    for (int k = 0; k < n; k++) {
        double best = fabs(matrix[k*n + k]);
        int place = k;
        for (int i = k + 1; i < n; i++) {
            if (fabs(matrix[i*n + k]) > best) {
                best = fabs(matrix[i*n + k]);
                place = i;
            }
        }
        double *const row = matrix + k*n, *const other = matrix + place*n;
        if (other[k] == 0.0) return 0;
        if (place != k) {
            for (int j = k; j < n; j++) {
                const double kept = row[j];
                row[j] = other[j];
                other[j] = kept;
            }
            const double kept = right[k];
            right[k] = right[place];
            right[place] = kept;
        }
        for (int i = k + 1; i < n; i++) {
            double *const lower = matrix + i*n;
            if (lower[k] != 0.0) {
                const double factor = lower[k] / row[k];
                for (int j = k + 1; j < n; j++) lower[j] -= factor * row[j];
                right[i] -= factor * right[k];
            }
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        double total = right[i];
        for (int j = i + 1; j < n; j++) total -= matrix[i*n + j] * right[j];
        right[i] = total / matrix[i*n + i];
    }
    return 1;
}
