const field = ':is(input, select, textarea):enabled:not([type=hidden])'

/**
 * Marks where the focus of a dialog begins: at its first field, or at its title if it has none. Mantine would begin at the button that
 * closes it. What a dialog has marked itself goes before.
 */
export function beginInside(body: HTMLElement | null): void {
  const dialog = body?.closest('[role=dialog]')
  if (!body || !dialog || dialog.querySelector('[data-autofocus]')) return
  const start = firstField(body) ?? dialog.querySelector<HTMLElement>('header h2')
  if (!start) return
  start.dataset.autofocus = ''
  if (start.matches('h2')) start.tabIndex = -1
}

/** Of choices, the one that is chosen. */
function firstField(body: HTMLElement): HTMLElement | undefined {
  const first = [...body.querySelectorAll<HTMLElement>(field)].find(found => found.checkVisibility())
  return first?.matches('[type=radio]')
    ? (body.querySelector<HTMLElement>('[type=radio]:checked') ?? first)
    : first
}
