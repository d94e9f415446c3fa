import { conventions, listOperations, tagOf } from '@gatehouse-access/api'
import type { Guide } from './guides.ts'
import { anchorOf } from './markdown.ts'
import { operationAnchor } from './operation.ts'

/** What can be found: its title, where it is, and other words that find it. */
export interface Entry {
  readonly title: string
  readonly where: string
  readonly url: string
  readonly words: string
}

export function makeIndex(guides: ReadonlyMap<string, Guide>): Entry[] {
  return [
    ...listOperations().map(operation => ({
      title: operation.title,
      where: `${operation.method} /v2${operation.path}`,
      url: `/docs#${operationAnchor(operation)}`,
      words: `${tagOf(operation.resource)} ${operation.about}`,
    })),
    ...conventions.map(({ id, title, text }) => ({
      ...{ title, where: 'Conventions', url: `/docs#${id}`, words: text.join(' ') },
    })),
    ...[...guides.values()].flatMap(indexGuide),
  ]
}

/** A section of a guide is found by its heading and by its first words. */
function indexGuide({ name, title, text }: Guide): Entry[] {
  const taken = new Map<string, number>()
  return text
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split(/^(?=#{1,4} )/m)
    .filter(section => section.startsWith('#'))
    .map(section => {
      const [heading = '', ...rest] = section.split('\n')
      const plain = heading.replace(/^#+ /, '')
      const url = `/docs/guides/${name}#${anchorOf(plain, taken)}`
      const words = rest
        .join(' ')
        .replace(/[`*|[\]]/g, ' ')
        .slice(0, 600)
      return { title: plain.replaceAll('`', ''), where: title, url, words }
    })
}
