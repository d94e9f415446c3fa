/**
 * Every record is a cell with a fixed identity: references hold the cell, and a change writes into it, so
 * that no reference has to be rebuilt. A cell that has been referenced but not yet written is not living, so
 * it grants nothing.
 */
export function cell<Cell>(cells: Map<string, Cell>, id: string, make: () => Cell): Cell {
  const found = cells.get(id)
  if (found !== undefined) return found
  const made = make()
  cells.set(id, made)
  return made
}

/** A cell that also has an index in a list. */
export function numberedCell<Cell>(
  cells: Map<string, Cell>,
  list: Cell[],
  id: string,
  make: (number: number) => Cell,
): Cell {
  return cell(cells, id, () => list[list.push(make(list.length)) - 1] as Cell)
}
