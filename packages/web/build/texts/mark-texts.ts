import { parseSync } from 'vite'
import { applyEdits, type Edit } from './edits.ts'
import { cleanText, hasWords, isNode, type Node, partsOf } from './nodes.ts'

/**
 * Stand around a text in the built files, where the text of a language takes its place. What it is said of follows it:
 * `Deleted¦door`.
 */
export const marks = { start: '\u27e6', of: '\u00a6', end: '\u27e7' } as const

/** Attributes and properties whose strings people read. */
const spokenNames: ReadonlySet<string> = new Set([
  ...[
    'about',
    'action',
    'add',
    'alt',
    'aria-description',
    'aria-label',
    'ariaLabel',
    'confirm',
    'description',
  ],
  ...['done', 'empty', 'error', 'failed', 'fallback', 'first', 'group', 'heading', 'help', 'hint', 'label'],
  ...['message', 'never', 'none', 'nothing', 'nothingFoundMessage', 'placeholder', 'question'],
  ...['remove', 'search', 'subtitle', 'suffix', 'title', 'undone', 'validationError', 'what', 'zero'],
])

/** Elements whose content is the same in every language. */
const unspokenElements: ReadonlySet<string> = new Set(['code', 'pre', 'kbd', 'style', 'Code'])

/** Functions whose arguments are texts: `t('Save')`, `t('Deleted', 'door')`, `spoken({ open: 'Open' })`. */
const speaking: ReadonlySet<string> = new Set(['t', 'spoken'])

interface Marked {
  readonly code: string
  /** The texts in English, as they are looked up. */
  readonly texts: readonly string[]
  readonly edits: readonly Edit[]
}

/**
 * Marks what people read in a module of the console: what stands between tags, attributes and properties such as
 * `label`, and what is given to `t` and `spoken`. Sentences that contain values or elements become one text with
 * gaps, so that a language can order them its own way.
 */
export function markTexts(path: string, code: string): Marked {
  const { program, errors } = parseSync(path, code, { lang: path.endsWith('x') ? 'tsx' : 'ts' })
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const marker = new Marker()
  marker.visit(program as unknown as Node)
  const edited = applyEdits(code, marker.edits)
  const imports = marker.needs_fill
    ? "import { fillIn as __fillIn, fillElements as __fillElements } from '/src/language/fill-in.ts'\n"
    : ''
  return { code: imports + edited, texts: marker.texts, edits: marker.edits }
}

class Marker {
  readonly edits: Edit[] = []
  readonly texts: string[] = []
  needs_fill = false

  visit(node: Node): void {
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') this.#visitElement(node)
    else if (node.type === 'JSXAttribute') this.#visitAttribute(node)
    else if (node.type === 'Property') this.#visitProperty(node)
    else if (node.type === 'CallExpression') this.#visitCall(node)
    else this.#visitParts(node)
  }

  #visitParts(node: Node): void {
    for (const part of partsOf(node)) this.visit(part)
  }

  #visitElement(node: Node): void {
    const name = nameOf(node.openingElement)
    if (isNode(node.openingElement)) this.#visitParts(node.openingElement)
    const children = node.children as Node[]
    const isSpoken = !unspokenElements.has(name)
    const isSaid = isSpoken && this.#markChildren(children)
    for (const child of children) {
      if (child.type === 'JSXText' || (isSaid && textOf(child) !== undefined)) continue
      const expression = child.type === 'JSXExpressionContainer' ? (child.expression as Node) : undefined
      if (!expression) this.visit(child)
      else if (!isSpoken || !this.#markResult(expression)) this.visit(expression)
    }
  }

  /** Makes the text among the children one text with gaps. Returns false if they hold no words themselves. */
  #markChildren(children: readonly Node[]): boolean {
    const parts = children.map(child => ({ child, text: textOf(child) }))
    const said = parts.map(({ text }) => text ?? '').join('')
    if (!hasWords(said)) return false
    const gaps = parts.filter(({ child, text }) => text === undefined && !isEmpty(child))
    let gap = 0
    const message = parts.map(({ child, text }) => text ?? (isEmpty(child) ? '' : `{${gap++}}`)).join('')
    const [, before = '', core = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(message) ?? []
    const literal = this.#literal(core, before, after)
    if (gaps.length === 0) {
      const [start, end] = [children[0]?.start ?? 0, children.at(-1)?.end ?? 0]
      this.edits.push({ start, end, text: `{${literal}}` })
      return true
    }
    this.needs_fill = true
    this.#replaceAround(
      children,
      gaps.map(({ child }) => child),
      `{__fillElements(${literal}, `,
      ')}',
    )
    return true
  }

  /** Keeps the gaps where they are, and writes a call around them. */
  #replaceAround(children: readonly Node[], gaps: readonly Node[], head: string, tail: string): void {
    let from = children[0]?.start ?? 0
    for (const [index, gap] of gaps.entries()) {
      const isExpression = gap.type === 'JSXExpressionContainer'
      const [start, end] = isExpression ? [gap.start + 1, gap.end - 1] : [gap.start, gap.end]
      this.edits.push({ start: from, end: start, text: index === 0 ? head : ', ' })
      from = end
    }
    this.edits.push({ start: from, end: children.at(-1)?.end ?? from, text: tail })
  }

  #visitAttribute(node: Node): void {
    const value = node.value as Node | null
    if (!value) return
    if (!spokenNames.has(nameOf(node))) this.visit(value)
    else if (value.type === 'Literal') this.#markLiteral(value, true)
    else if (value.type === 'JSXExpressionContainer' && isNode(value.expression)) {
      if (!this.#markResult(value.expression)) this.visit(value.expression)
    } else this.visit(value)
  }

  /** A property may also hold a word of the code, such as a color: those are in lower case. */
  #visitProperty(node: Node): void {
    const value = node.value as Node
    const key = node.key as Node
    const name = String(key.name ?? key.value ?? '')
    if (node.computed === true && isNode(node.key)) this.visit(node.key)
    const isWord = value.type === 'Literal' && /^[a-z]\S*$/.test(String(value.value))
    if (isWord || !spokenNames.has(name) || !this.#markResult(value)) this.visit(value)
  }

  #visitCall(node: Node): void {
    const callee = node.callee as Node
    const [first, ...others] = node.arguments as Node[]
    if (!first || callee.type !== 'Identifier' || !speaking.has(String(callee.name))) {
      this.#visitParts(node)
      return
    }
    const [of] = others
    if (callee.name === 'spoken') this.#markAll(first)
    else if (of) this.#markLiteral({ ...first, value: `${first.value}${marks.of}${of.value}` }, false)
    else this.#markResult(first)
  }

  /** Marks every string in a value: of an object, its values. */
  #markAll(node: Node): void {
    if (node.type === 'ObjectExpression')
      for (const property of node.properties as Node[]) this.#markAll((property.value ?? property) as Node)
    else if (node.type === 'ArrayExpression')
      for (const element of node.elements as Node[]) this.#markAll(element)
    else if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
      this.#markAll(node.expression as Node)
    else if (!this.#markResult(node)) this.visit(node)
  }

  /** Marks the strings that an expression can result in. Returns false if it is none of those that can. */
  #markResult(node: Node): boolean {
    switch (node.type) {
      case 'Literal':
        if (typeof node.value !== 'string' || !hasWords(node.value)) return false
        this.#markLiteral(node, false)
        return true
      case 'TemplateLiteral':
        return this.#markTemplate(node)
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        return this.#markResult(node.expression as Node)
      case 'ConditionalExpression':
        this.visit(node.test as Node)
        for (const branch of [node.consequent, node.alternate] as Node[])
          if (!this.#markResult(branch)) this.visit(branch)
        return true
      case 'LogicalExpression':
        for (const side of [node.left, node.right] as Node[]) if (!this.#markResult(side)) this.visit(side)
        return true
      default:
        return false
    }
  }

  #markTemplate(node: Node): boolean {
    const quasis = (node.quasis as Node[]).map(quasi => String((quasi.value as { cooked: string }).cooked))
    if (!hasWords(quasis.join(' '))) return false
    const expressions = node.expressions as Node[]
    if (expressions.length === 0) {
      this.edits.push({ start: node.start, end: node.end, text: this.#literal(quasis[0] ?? '') })
      return true
    }
    this.needs_fill = true
    const message = quasis.map((text, index) => (index === 0 ? text : `{${index - 1}}${text}`)).join('')
    let from = node.start
    for (const [index, expression] of expressions.entries()) {
      const head = index === 0 ? `__fillIn(${this.#literal(message)}, ` : ', '
      this.edits.push({ start: from, end: expression.start, text: head })
      if (!this.#markResult(expression)) this.visit(expression)
      from = expression.end
    }
    this.edits.push({ start: from, end: node.end, text: ')' })
    return true
  }

  #markLiteral(node: Node, isAttribute: boolean): void {
    const text = String(node.value)
    if (!hasWords(text)) return
    const literal = this.#literal(text)
    this.edits.push({ start: node.start, end: node.end, text: isAttribute ? `{${literal}}` : literal })
  }

  #literal(text: string, before = '', after = ''): string {
    this.texts.push(text)
    return JSON.stringify(`${before}${marks.start}${text}${marks.end}${after}`)
  }
}

function isEmpty(child: Node): boolean {
  return (
    child.type === 'JSXExpressionContainer' &&
    (child.expression as Node | null)?.type === 'JSXEmptyExpression'
  )
}

/** Returns the text of a child that is nothing but text. */
function textOf(child: Node): string | undefined {
  if (child.type === 'JSXText') return cleanText(String(child.value))
  if (child.type !== 'JSXExpressionContainer') return undefined
  const expression = child.expression as Node
  return expression.type === 'Literal' && typeof expression.value === 'string' ? expression.value : undefined
}

function nameOf(node: unknown): string {
  const name = isNode(node) ? (node.name as Node | undefined) : undefined
  return String(name?.name ?? '')
}
