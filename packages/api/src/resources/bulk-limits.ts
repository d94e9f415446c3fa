/** Operations of one `POST /bulk`. Here, because clients need the numbers and not the declarations. */
export const mostOperations = 100

/** Members that a bulk edit names one by one. */
export const mostNamed = 1000
