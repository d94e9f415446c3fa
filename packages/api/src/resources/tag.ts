import { list } from '../kit/compounds.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, color, reference, text } from '../kit/scalars.ts'
import { uses } from './uses.ts'

export const taggable = ['member', 'member_group', 'site', 'device', 'gadget'] as const
export type Taggable = (typeof taggable)[number]

/** Tags of one object. */
export const mostTags = 100

/** The tags field of a taggable object. */
export function tagIds<const Options extends { engine?: true } = Record<never, never>>(
  kind: Taggable,
  options?: Options,
) {
  return field(list(reference('tag'), { max: mostTags, unique: true }), {
    about: `Tags of the ${kind.replaceAll('_', ' ')}. Each tag must apply to this kind of object.${kind === 'gadget' ? ' Permission rules can name a tag, and then cover all gadgets that have it.' : ' They never affect permissions.'}`,
    create: 'optional',
    edit: true,
    initial: [],
    example: [],
    ...options,
  } as const)
}

export const tag = resource({
  kind: 'tag',
  plural: 'tags',
  path: '/tags',
  about:
    'A colored label for members, groups, sites, devices and gadgets. Permission rules, emergencies and alarm rules can name one to cover all gadgets that have it.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  actions: { uses },
  fields: {
    ...identity('tag'),
    name: field(text(64), {
      personal: 'free',
      about: 'Display name.',
      example: 'VIP',
      create: 'required',
      edit: true,
      sort: true,
    }),
    color: field(color, {
      personal: null,
      about: 'Colour, `#rrggbb`.',
      example: '#1e90ff',
      create: 'optional',
      edit: true,
      initial: '#808080',
    }),
    applies_to: field(list(choice(...taggable), { max: taggable.length, unique: true }), {
      personal: null,
      about: 'Kinds of objects that can have it.',
      example: ['member'],
      create: 'optional',
      edit: true,
      initial: taggable,
    }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
