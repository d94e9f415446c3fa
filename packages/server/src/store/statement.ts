/** An SQL text under construction and the values of its placeholders. */
export class Statement {
  readonly params: unknown[] = []

  bind(value: unknown, cast = ''): string {
    this.params.push(value)
    return `$${this.params.length}${cast && `::${cast}`}`
  }
}
