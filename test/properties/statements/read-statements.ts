import type { CallExpression, Node, SourceFile } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { API, type Checker, type Project } from 'typescript/unstable/sync'
import { type Claims, claimsOf } from './claims.ts'
import { orNone, textsOf } from './texts.ts'

/** A call of `query` in the service. */
export interface Statement {
  /** `store/find.ts findObject`: the file and the enclosing function. */
  readonly name: string
  /** Every text that the statement can have. Empty if the source does not determine it. */
  readonly texts: readonly string[]
  /** What the code claims about the rows, or undefined if it reads none. */
  readonly claims: Claims | undefined
}

const base = 'packages/server/src/'

/** Returns every statement in the service, with the claims about its rows. */
export function readStatements(root: string): Statement[] {
  using stack = new DisposableStack()
  const config = `${root}/tsconfig.statements.json`
  const api = stack.adopt(new API({ cwd: root, fs: withFile(config) }), api => api.close())
  const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects()
  if (!project) throw new Error('the compiler found no project')
  return sourcesOf(project, root).flatMap(source => statementsIn(project.checker, root, source))
}

/** A virtual configuration for the service alone, so that half of the sources need not be parsed. */
function withFile(config: string) {
  const text = JSON.stringify({ extends: './tsconfig.json', include: [base] })
  return {
    readFile: (name: string) => (name === config ? text : undefined),
    fileExists: (name: string) => (name === config ? true : undefined),
  }
}

function sourcesOf({ program }: Project, root: string): SourceFile[] {
  const names = program.getSourceFileNames().filter(name => name.startsWith(`${root}/${base}`))
  return names.sort().flatMap(name => program.getSourceFile(name) ?? [])
}

function statementsIn(checker: Checker, root: string, source: SourceFile): Statement[] {
  const file = source.fileName.slice(`${root}/${base}`.length)
  return [...callsIn(source, '')].map(
    ([
      {
        arguments: [text],
        typeArguments,
      },
      around,
    ]) => ({
      name: `${file} ${around}`,
      texts: (text && orNone(() => textsOf(checker, text))) ?? [],
      claims: typeArguments?.[0] && claimsOf(checker, typeArguments[0]),
    }),
  )
}

function* callsIn(node: Node, around: string): Generator<readonly [CallExpression, string]> {
  if (is.isCallExpression(node) && isQuery(node)) yield [node, around]
  const children: Node[] = []
  node.forEachChild(child => void children.push(child))
  for (const child of children) yield* callsIn(child, nameOf(node) ?? around)
}

function isQuery({ expression }: CallExpression): boolean {
  return is.isPropertyAccessExpression(expression) && expression.name.text === 'query'
}

function nameOf(node: Node): string | undefined {
  if (!is.isFunctionDeclaration(node) && !is.isMethodDeclaration(node)) return undefined
  return node.name?.getText()
}
