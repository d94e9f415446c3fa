import {
  isColumn,
  type PersonalClass,
  personalClasses,
  personalOf,
  type RecordEntry,
  type Resource,
  resources,
} from '@gatehouse-access/api'
import { keptRows } from '../../database/kept-rows.ts'
import { personalColumns } from '../../database/personal-columns.ts'
import { purposeOfTable } from '../../database/purposes.ts'

/** Which personal data is stored, why and for how long: every table that has some, by name. */
export function listProcessing(): RecordEntry[] {
  return [...findClasses()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([table, classes]) => ({
      data: table,
      purpose: purposeOfTable[table] ?? 'operation',
      fields: personalClasses.flatMap(name => {
        const names = classes.get(name)
        return names ? [{ class: name, names }] : []
      }),
      ...keptFor(table),
    }))
}

type Classes = Map<PersonalClass, string[]>

/** Returns the personal columns of each table: declared ones first. */
function findClasses(): Map<string, Classes> {
  const found = new Map<string, Classes>()
  const add = (table: string, column: string, name: PersonalClass | null | undefined) => {
    if (!name) return
    const classes = found.getOrInsertComputed(table, () => new Map())
    classes.getOrInsertComputed(name, () => []).push(column)
  }
  for (const { table, fields } of storedResources())
    for (const [name, field] of Object.entries(fields))
      if (isColumn(field)) add(table, name, personalOf(field))
  for (const [table, columns] of Object.entries(personalColumns))
    for (const [name, personal] of Object.entries(columns)) add(table, name, personal)
  return found
}

function storedResources(): Resource[] {
  return Object.values<Resource>(resources).filter(({ fields }) => 'id' in fields)
}

function keptFor(table: string): Pick<RecordEntry, 'kept' | 'kept_seconds' | 'kept_from'> {
  const [, kept_from, kept_seconds] = keptRows.find(([name]) => name === table) ?? []
  if (kept_from !== undefined && kept_seconds !== undefined) return { kept: 'after', kept_seconds, kept_from }
  if (table === 'events') return { kept: 'events' }
  return { kept: isOfMember(table) ? 'after_deletion' : 'while_it_exists' }
}

function isOfMember(table: string): boolean {
  const resource = storedResources().find(declared => declared.table === table)
  return resource !== undefined && (resource.kind === 'member' || resource.parent === 'member')
}
