/**
 * Every record is a fixed cell: whoever names an id holds its cell, a change writes into it, and nothing that
 * points to it has to be made again. A cell that is only named so far does not live, so it grants nothing.
 */
export function cell<Cell>(cells: Map<string, Cell>, id: string, make: () => Cell): Cell {
  const found = cells.get(id)
  if (found !== undefined) return found
  const made = make()
  cells.set(id, made)
  return made
}

/** A cell that has its place in a list too. */
export function numberedCell<Cell>(
  cells: Map<string, Cell>,
  list: Cell[],
  id: string,
  make: (number: number) => Cell,
): Cell {
  return cell(cells, id, () => list[list.push(make(list.length)) - 1] as Cell)
}
