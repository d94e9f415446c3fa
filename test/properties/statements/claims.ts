import type { TypeNode } from 'typescript/unstable/ast'
import {
  type Checker,
  type Symbol as Named,
  SymbolFlags,
  type Type,
  TypeFlags,
} from 'typescript/unstable/sync'

/** What a value of a row is to the code that reads it. */
export type Shape = 'text' | 'number' | 'flag' | 'bytes' | 'texts' | 'json' | 'anything'

/** What the code claims about one column. */
export interface Claim {
  readonly shapes: readonly Shape[]
  /** True when the column may be missing. */
  readonly is_optional: boolean
}

/** What the code claims about the rows of a statement. */
export interface Claims {
  readonly columns: ReadonlyMap<string, Claim>
  /** True when there may be other columns. */
  readonly is_open: boolean
}

export function claimsOf(checker: Checker, node: TypeNode): Claims {
  const type = checker.getTypeFromTypeNode(node)
  // For a type parameter, the caller determines the type.
  if (!type || type.isTypeParameter() || type.isConditionalType())
    return { columns: new Map(), is_open: true }
  return {
    columns: new Map(
      checker.getPropertiesOfType(type).map(symbol => [symbol.name, claimOf(checker, symbol)]),
    ),
    is_open: checker.getIndexInfosOfType(type).length > 0,
  }
}

function claimOf(checker: Checker, symbol: Named): Claim {
  const held = checker.getTypeOfSymbol(symbol)
  const is_optional = (symbol.flags & SymbolFlags.Optional) !== 0
  return { shapes: held ? shapesOf(checker, held) : ['anything'], is_optional }
}

function shapesOf(checker: Checker, type: Type): Shape[] {
  if (type.isUnionType()) return [...new Set(type.getTypes().flatMap(part => shapesOf(checker, part)))]
  if (type.flags & (TypeFlags.Null | TypeFlags.Undefined)) return []
  if (type.flags & TypeFlags.StringLike) return ['text']
  if (type.flags & TypeFlags.NumberLike) return ['number']
  if (type.flags & TypeFlags.BooleanLike) return ['flag']
  if (type.flags & TypeFlags.AnyOrUnknown) return ['anything']
  if (/^(Buffer|Uint8Array)$/.test(type.getSymbol()?.name ?? '')) return ['bytes']
  return [isListOfTexts(checker, type) ? 'texts' : 'json']
}

function isListOfTexts(checker: Checker, type: Type): boolean {
  if (!checker.isArrayLikeType(type)) return false
  const [entry] = checker.getIndexInfosOfType(type).map(({ valueType }) => valueType)
  return entry !== undefined && shapesOf(checker, entry).every(shape => shape === 'text')
}
