import { endpoints, type Field, type Resource, resources } from '@gatehouse-access/api'
import { calledOf } from '@gatehouse-access/sdk'
import type { Plugin } from 'vite'
import type { DeclaredField, Kind } from '../console/src/data/declarations.ts'

/**
 * Fills `declarations.ts` with what the console needs of the API's declarations. The declarations themselves, with
 * the checks and the texts of the reference, would be a fifth of its first screen.
 */
export function listDeclarations(): Plugin {
  return {
    name: 'gatehouse-list-declarations',
    enforce: 'pre',
    transform: {
      filter: { id: /\/data\/declarations\.ts$/ },
      handler: () =>
        [
          `export const endpoints = ${JSON.stringify(endpoints.map(calledOf))}`,
          `export const kinds = ${JSON.stringify(Object.values<Resource>(resources).map(kindOf))}`,
          `export const fields = ${JSON.stringify(fieldsOf())}`,
        ].join('\n'),
    },
  }
}

function kindOf({ kind, plural, parent, singleton }: Resource): Kind {
  return { kind, plural, ...(parent && { parent }), ...(singleton && { singleton: true }) }
}

/** The kinds that forms of the console show declared fields of. */
const inForms: readonly (keyof typeof resources)[] = [
  ...(['site', 'device', 'gadget', 'member', 'member_group', 'schedule', 'calendar', 'card', 'tag'] as const),
  ...(['unlock_rule', 'emergency_plan', 'alarm_rule', 'notification_target', 'gadget_trigger'] as const),
]

function fieldsOf(): Record<string, Record<string, DeclaredField>> {
  return Object.fromEntries(
    inForms.map(kind => {
      const fields = Object.entries<Field>(resources[kind].fields)
      return [
        kind,
        Object.fromEntries(fields.filter(isEntered).map(([name, field]) => [name, fieldOf(field)])),
      ]
    }),
  )
}

function isEntered([, { create, edit, type }]: readonly [string, Field]): boolean {
  const { type: of } = type.schema as { type?: string }
  return (create !== undefined || edit === true) && of === 'string'
}

function fieldOf({ create, nullable, type }: Field): DeclaredField {
  const { maxLength, enum: choices } = type.schema as { maxLength?: number; enum?: readonly string[] }
  return {
    ...(create === 'required' && { is_required: true }),
    ...(nullable && { is_nullable: true }),
    ...(maxLength !== undefined && { length: maxLength }),
    ...(choices && { choices }),
  }
}
