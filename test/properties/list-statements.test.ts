import {
  filtersOf,
  parseListQuery,
  type Query,
  type Resource,
  resources,
  sortsOf,
} from '@gatehouse-access/api'
import { expect, test } from 'vitest'
import { selectList } from '../../packages/server/src/store/columns.ts'
import { listStatement } from '../../packages/server/src/store/list.ts'
import { filterTexts } from './filter-texts.ts'
import { neverId } from './one-of-each.ts'

const listed: [string, Resource][] = Object.values(resources as Record<string, Resource>)
  .filter(({ verbs }) => verbs.includes('list'))
  .map(resource => [resource.plural, resource])

/**
 * The files exist for review: they show which SQL a change of a declaration affects. `…` stands for every
 * field of a response.
 */
test.each(listed)('the SQL of listing %s', async (plural, resource) => {
  const lines = questions(resource).map(([query, isNext]) => describe(resource, query, isNext))
  await expect(`${lines.join('\n\n')}\n`).toMatchFileSnapshot(`list-statements/${plural}.sql`)
})

function questions(resource: Resource): [Query, boolean][] {
  const sorts = sortsOf(resource).flatMap(sort => [{ sort: `${sort}:asc` }, { sort: `${sort}:desc` }])
  const filters = [...filtersOf(resource).values()].map(filter => ({
    [filter.name]: filterTexts(filter)[0] as string,
  }))
  return [
    [{}, false],
    ...sorts.map((query): [Query, boolean] => [query, true]),
    ...filters.map((query): [Query, boolean] => [query, false]),
    ...(resource.fields.metadata ? [[{ 'metadata.source': 'pms' }, false] as [Query, boolean]] : []),
    ...(resource.search ? [[{ q: 'door' }, false] as [Query, boolean]] : []),
    ...('is_deleted' in resource.fields ? [[{ is_deleted: 'any' }, true] as [Query, boolean]] : []),
  ]
}

function describe(resource: Resource, query: Query, isNext: boolean): string {
  const reach = {
    organization_id: neverId('organization'),
    oauth_application_id: neverId('oauth_application'),
    parent: resource.parent && { field: `${resource.parent}_id`, id: neverId(resource.parent) },
  }
  const position = isNext ? { value: 'x', id: 'y' } : undefined
  const { text } = listStatement(resource, reach, parseListQuery(resource, query), position)
  const name = Object.keys(query).map(key => (key === 'sort' ? `${key}=${query.sort}` : key))
  return `-- ${name[0] ?? 'first page'}${isNext ? ', next page' : ''}\n${text.replaceAll(selectList(resource), '…')}`
}
