import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseAst } from 'vite'

export interface Import {
  /** The path of the imported file, relative to the repository root. */
  readonly to: string
  /** A type-only import, which is erased before the code runs. */
  readonly is_type: boolean
}

/** The measured properties of a source file. */
export interface Source {
  readonly path: string
  readonly package: string
  readonly lines: number
  /** The number of `as` casts, except `as const`. */
  readonly casts: number
  /** The line count of each function with a block body. */
  readonly functions: readonly number[]
  /** Whether it contains SQL. */
  readonly has_sql: boolean
  /** Imports of other files in the repository. */
  readonly imports: readonly Import[]
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [name: string]: unknown
}

/** Reads every source file of the packages, except tests. */
export function readSources(): Source[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', 'packages']
  return execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter(path => /\.tsx?$/.test(path) && !/\.d\.ts$|\/(test|vectors)\//.test(path) && existsSync(path))
    .map(readSource)
}

function readSource(path: string): Source {
  const text = readFileSync(path, 'utf8')
  const tree = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path) as unknown as Node
  const nodes = [...walk(tree)]
  return {
    path,
    package: path.split('/')[1] as string,
    lines: countLines(text.trimEnd()),
    casts: nodes.filter(isCast).length,
    functions: nodes.filter(hasBody).map(({ start, end }) => countLines(text.slice(start, end))),
    has_sql: nodes.some(isSql),
    imports: nodes.flatMap(node => importOf(path, node)),
  }
}

function countLines(text: string): number {
  return text.split('\n').length
}

function* walk(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node))
    for (const part of Array.isArray(value) ? value : [value])
      if (part !== null && typeof part === 'object' && typeof part.type === 'string') yield* walk(part)
}

function isCast({ type, typeAnnotation }: Node): boolean {
  if (type === 'TSTypeAssertion') return true
  const { typeName } = (typeAnnotation ?? {}) as { typeName?: { name?: string } }
  return type === 'TSAsExpression' && typeName?.name !== 'const'
}

/** Whether a string starts like an SQL statement. */
function isSql({ type, value }: Node): boolean {
  const text = type === 'TemplateElement' ? (value as { raw: string }).raw : value
  return /^(Literal|TemplateElement)$/.test(type) && typeof text === 'string' && statement.test(text)
}

const statement = /^\s*(WITH|SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM) /

function hasBody({ type, body }: Node): boolean {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type) && isBlock(body)
}

function isBlock(body: unknown): boolean {
  return (body as Node | null)?.type === 'BlockStatement' || (body as Node | null)?.type === 'FunctionBody'
}

function importOf(path: string, node: Node): Import[] {
  const { value } = (node.source ?? {}) as { value?: string }
  if (!value?.startsWith('.')) return []
  return [{ to: normalize(join(dirname(path), value)), is_type: isOfTypes(node) }]
}

function isOfTypes({ importKind, exportKind, specifiers }: Node): boolean {
  if (importKind === 'type' || exportKind === 'type') return true
  const kinds = ((specifiers ?? []) as Node[]).map(one => one.importKind ?? one.exportKind)
  return kinds.length > 0 && kinds.every(kind => kind === 'type')
}
