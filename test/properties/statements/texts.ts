import { resourceOf } from '@gatehouse-access/api'
import type { Block, Expression, Node, NodeArray, ParameterDeclaration } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { type Checker, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync'
import { selectList } from '../../../packages/server/src/store/columns.ts'

/** Thrown for a text that the source does not determine. The message is the expression that prevents it. */
class Unreadable extends Error {}

type Texts = readonly string[]
/** The values of a function's parameters at the call site. */
type Bound = ReadonlyMap<string, Texts>

const mostVariants = 64

/**
 * Returns every text that an expression can have. The compiler knows most of them, because constants and
 * their unions are types.
 */
export function textsOf(checker: Checker, node: Expression, bound: Bound = new Map()): Texts {
  const read = (part: Expression) => textsOf(checker, part, bound)
  if (is.isParenthesizedExpression(node)) return read(node.expression)
  if (is.isConditionalExpression(node)) return [...new Set([...read(node.whenTrue), ...read(node.whenFalse)])]
  if (is.isTemplateExpression(node))
    return node.templateSpans.reduce<Texts>(
      (texts, { expression, literal }) => joined(texts, read(expression), literal.text),
      [node.head.text],
    )
  const literals = literalsOf(checker.getTypeAtLocation(node))
  if (literals) return literals
  if (is.isIdentifier(node)) return bound.get(node.text) ?? textsOfName(checker, node)
  if (is.isElementAccessExpression(node)) return textsOfEntry(checker, node.expression)
  if (is.isCallExpression(node)) return textsOfCall(checker, node.expression, node.arguments, read)
  throw new Unreadable(node.getText())
}

function joined(heads: Texts, tails: Texts, end: string): Texts {
  const texts = heads.flatMap(head => tails.map(tail => head + tail + end))
  if (texts.length > mostVariants) throw new Unreadable(`more than ${mostVariants} variants`)
  return texts
}

/** Any number stands for all numbers. */
function literalsOf(type: Type | undefined): Texts | undefined {
  const parts = type?.isUnionType() ? type.getTypes() : type ? [type] : []
  const texts = parts.flatMap(part => {
    if (part.isStringLiteralType() || part.isNumberLiteralType()) return String(part.value)
    return part.flags & TypeFlags.Number ? '1' : []
  })
  return texts.length > 0 && texts.length === parts.length ? texts : undefined
}

function textsOfName(checker: Checker, node: Expression): Texts {
  const initializer = initializerOf(checker, node)
  if (!initializer) throw new Unreadable(node.getText())
  return textsOf(checker, initializer)
}

/** Returns the texts of all entries of a constant table. */
function textsOfEntry(checker: Checker, table: Expression): Texts {
  const initializer = initializerOf(checker, table)
  if (!initializer || !is.isObjectLiteralExpression(initializer)) throw new Unreadable(table.getText())
  return initializer.properties.flatMap(property =>
    is.isPropertyAssignment(property) ? textsOf(checker, property.initializer) : [],
  )
}

/** Handles a function that only assembles a text, or the columns of a declaration. */
function textsOfCall(
  checker: Checker,
  called: Expression,
  given: NodeArray<Expression>,
  read: (node: Expression) => Texts,
): Texts {
  const kind = called.getText() === 'selectList' && /^resources\.(\w+)$/.exec(given[0]?.getText() ?? '')?.[1]
  if (kind) return [selectList(resourceOf(kind))]
  const { body, parameters = [] } = functionAt(checker, called) ?? {}
  const result = body && (is.isBlock(body) ? returnedBy(body) : body)
  if (!result) throw new Unreadable(called.getText())
  return textsOf(checker, result, bind(parameters, given, read))
}

function bind(
  parameters: readonly ParameterDeclaration[],
  given: NodeArray<Expression>,
  read: (node: Expression) => Texts,
): Bound {
  return new Map(
    parameters.flatMap(({ name, initializer }, index) => {
      const value = given[index] ?? initializer
      const texts = value && orNone(() => read(value))
      return texts ? [[name.getText(), texts] as const] : []
    }),
  )
}

/** Returns undefined if the source does not determine the texts. */
export function orNone(read: () => Texts): Texts | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

function functionAt(
  checker: Checker,
  node: Expression,
): { body: Expression | Block; parameters: readonly ParameterDeclaration[] } | undefined {
  const declaration = declarationOf(checker, node)
  if (declaration && is.isFunctionDeclaration(declaration) && declaration.body)
    return { body: declaration.body, parameters: declaration.parameters }
  const initializer = initializerOf(checker, node)
  return initializer && is.isArrowFunction(initializer) ? initializer : undefined
}

function returnedBy({ statements }: Block): Expression | undefined {
  const last = statements.at(-1)
  const isPlain = statements.slice(0, -1).every(is.isVariableStatement)
  return isPlain && last && is.isReturnStatement(last) ? last.expression : undefined
}

function initializerOf(checker: Checker, node: Node): Expression | undefined {
  const declaration = declarationOf(checker, node)
  return declaration && is.isVariableDeclaration(declaration) ? declaration.initializer : undefined
}

function declarationOf(checker: Checker, node: Node): Node | undefined {
  const symbol = checker.getSymbolAtLocation(node)
  const meant = symbol && symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  return meant?.valueDeclaration?.resolve()
}
