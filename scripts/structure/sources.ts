import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseAst } from 'vite'
import type { Arrow } from './graph.ts'

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
  return listFiles('packages').filter(isSource).map(readSource)
}

/** Reads what all other files import when they are loaded: tests, benchmarks, scripts. */
export function readOtherImports(): Arrow[] {
  const others = listFiles('.').filter(path => !isSource(path))
  return others.flatMap(from => {
    const { body } = parse(from, readFileSync(from, 'utf8'))
    return (body as Node[]).flatMap(node => importOf(from, node)).map(({ to }) => ({ from, to }))
  })
}

function listFiles(folder: string): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', folder]
  return execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter(path => /(?<!\.d)\.tsx?$/.test(path) && existsSync(path))
}

function isSource(path: string): boolean {
  return path.startsWith('packages/') && !/\/(test|vectors)\//.test(path)
}

function parse(path: string, text: string): Node {
  return parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path) as unknown as Node
}

function readSource(path: string): Source {
  const text = readFileSync(path, 'utf8')
  const nodes = walk(parse(path, text))
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

/** Adds the node and all inside of it, in the order of the text. */
function walk(node: Node, found: Node[] = []): Node[] {
  found.push(node)
  for (const name in node) {
    const value = node[name]
    if (Array.isArray(value)) for (const part of value) walkPart(part, found)
    else walkPart(value, found)
  }
  return found
}

function walkPart(part: unknown, found: Node[]): void {
  if (isNode(part)) walk(part, found)
}

function isNode(part: unknown): part is Node {
  return typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string'
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
