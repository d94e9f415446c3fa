import { expect, test } from 'vitest'
import {
  answeredResource,
  type Endpoint,
  endpoints,
  errorsOf,
  errorTypes,
  exampleBody,
  listOperations,
  listParameters,
  listTransfers,
  openApi,
  type Parts,
  parametersOf,
  parseCreate,
  parseEdit,
  parseExpand,
  parseListQuery,
  parseShape,
  type Resource,
  toOpenApi30,
} from '../src/index.ts'
import { lintOpenApi } from './lint-openapi.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly { readonly name?: string }[]
  readonly requestBody?: { readonly content: object }
  readonly responses: Record<string, unknown>
}

const document = openApi('https://gatehouse.test/v2')
const paths = document.paths as Record<string, Record<string, Operation>>

function operationOf({ method, path }: Endpoint): Operation | undefined {
  return paths[path]?.[method.toLowerCase()]
}

test('the document is clean under the linter, and its examples fit their schemas', async () => {
  expect(await lintOpenApi(document)).toEqual([])
})

test('so is the document for tools that know OpenAPI 3.0 only', async () => {
  const older = toOpenApi30(document)
  expect(older.openapi).toBe('3.0.3')
  expect(await lintOpenApi(older)).toEqual([])
  const text = JSON.stringify(older)
  expect(text).not.toMatch(/"type":\[/)
  expect(Object.keys(older.paths as object)).toEqual(Object.keys(paths))
})

test('references can be resolved until none is left: no schema leads back to itself', () => {
  const { schemas } = document.components as { schemas: Record<string, object> }
  const visit = (value: unknown, above: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return
    const { $ref } = value as { $ref?: string }
    const name = $ref?.split('/').at(-1)
    if (name !== undefined && above.includes(name)) throw new Error([...above, name].join(' → '))
    if (name !== undefined) visit(schemas[name], [...above, name])
    for (const inner of Object.values(value)) visit(inner, above)
  }
  for (const [name, schema] of Object.entries(schemas)) visit(schema, [name])
})

test('the linter would notice an example that does not fit', async () => {
  const broken = JSON.parse(JSON.stringify(document).replaceAll('Europe/Madrid', ''))
  expect(await lintOpenApi(broken)).not.toEqual([])
})

test('every endpoint and transfer stands in the document, and nothing else', () => {
  for (const endpoint of endpoints) expect(operationOf(endpoint)?.operationId).toBe(endpoint.id)
  const operations: Operation[] = Object.values(paths).flatMap(Object.values)
  const known = endpoints.map(({ id }) => id)
  const others = operations.map(({ operationId }) => operationId).filter(id => !known.includes(id))
  expect(others).toEqual(['event.stream', 'event.export', 'member.export', 'job.file', 'import.create'])
  expect(operations).toHaveLength(endpoints.length + others.length)
  const told = operations.map(({ operationId, summary }) => [operationId, summary])
  const listed = listOperations().map(({ id, title }) => [id, title])
  expect(told.toSorted()).toEqual(listed.toSorted())
})

test('each transfer documents its parameters, its body and its errors', () => {
  for (const { id, method, path, parameters, body, errors, upgrade } of listTransfers()) {
    const operation = paths[path]?.[method.toLowerCase()]
    expect([id, operation?.operationId]).toEqual([id, id])
    expect(operation?.parameters?.map(({ name }) => name)).toEqual(parameters.map(({ name }) => name))
    expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual(Object.keys(body ?? {}))
    const statuses = errors.map(type => String(errorTypes[type].status))
    const good = upgrade === undefined ? ['200'] : ['101', '200']
    expect(Object.keys(operation?.responses ?? {})).toEqual([...good, ...new Set(statuses)])
  }
})

test.each(endpoints)('$id documents its body, its errors and its query', endpoint => {
  const operation = operationOf(endpoint) as Operation
  expect(operation.requestBody !== undefined).toBe(endpoint.body !== undefined)
  const statuses = errorsOf(endpoint).map(type => String(errorTypes[type].status))
  expect(Object.keys(operation.responses)).toEqual(['200', ...new Set(statuses)])
  if (endpoint.verb === 'list') expect(undocumented(endpoint)).toEqual([])
})

function undocumented(endpoint: Endpoint): string[] {
  const documented = new Set(parametersOf(endpoint).map(({ name }) => name))
  const known = documented.add('metadata.<key>')
  const expandable = Object.keys(endpoint.resource.expands).length > 0
  return listParameters(endpoint.resource).filter(
    name => !known.has(name) && (name !== 'expand' || expandable),
  )
}

test.each(endpoints.filter(({ body }) => body !== undefined))('$id takes its own example', endpoint => {
  const { body, resource } = endpoint
  const example = exampleBody(endpoint)
  if (body === 'create') parseCreate(resource, example)
  else if (body === 'edit') parseEdit(resource, example)
  else parseShape(body as Parts, example, '')
})

test.each(endpoints)('$id takes its own example parameters', endpoint => {
  const given = parametersOf(endpoint).filter(
    parameter => parameter.in === 'query' && parameter.name !== 'cursor',
  )
  const query = Object.fromEntries(given.map(({ name, example }) => [name, [example].flat().join(',')]))
  if (endpoint.verb === 'list') parseListQuery(endpoint.resource, query)
  else if (query.expand) parseExpand(answeredResource(endpoint) as Resource, query.expand.split(','))
})
