import type { Endpoint } from '../../endpoints.ts'
import { shape } from '../../kit/compounds.ts'
import type { JsonSchema } from '../../kit/type.ts'
import { scopesOf } from '../../scopes.ts'
import { createSchema, editSchema } from '../bodies.ts'
import { exampleBody } from './examples.ts'
import { tagOf, titleOf } from './names.ts'
import { type Parameter, parametersOf } from './parameters.ts'
import { responsesOf } from './responses.ts'
import { closed, refer } from './schemas.ts'
import { securityOf } from './security.ts'

type Part = Record<string, unknown>

export function operationOf(endpoint: Endpoint): Part {
  const parameters = parametersOf(endpoint).map(parameter =>
    isShared(parameter)
      ? { $ref: `#/components/parameters/${sharedName(parameter)}` }
      : parameterOf(parameter),
  )
  return {
    operationId: endpoint.id,
    tags: [tagOf(endpoint.resource)],
    summary: titleOf(endpoint),
    description: endpoint.about,
    security: securityOf(scopesOf(endpoint)),
    parameters,
    ...(endpoint.body !== undefined && { requestBody: requestBody(endpoint) }),
    responses: responsesOf(endpoint),
  }
}

function requestBody(endpoint: Endpoint): Part {
  const { required = [] } = bodySchema(endpoint)
  const { body, resource } = endpoint
  const schema = typeof body === 'string' ? refer(`${resource.kind}_${body}`) : bodySchema(endpoint)
  return {
    required: required.length > 0,
    content: { 'application/json': { schema, example: exampleBody(endpoint) } },
  }
}

/** Returns the schema of the endpoint's body; `{}` when it accepts none. */
export function bodySchema({ body, resource }: Endpoint): JsonSchema {
  if (body === undefined) return {}
  if (body === 'create') return closed(createSchema(resource))
  return body === 'edit' ? closed(editSchema(resource), true) : closed(shape(body).schema)
}

const common = new Set(['limit', 'cursor', 'is_deleted', 'with_count'])

function isShared(parameter: Parameter): boolean {
  return parameter.in !== 'query' || common.has(parameter.name)
}

function sharedName({ name }: Parameter): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/** Returns the parameters that the document defines once and refers to, by name. */
export function sharedParameters(endpoints: readonly Endpoint[]): Part {
  const shared = endpoints.flatMap(parametersOf).filter(isShared)
  return Object.fromEntries(shared.map(parameter => [sharedName(parameter), parameterOf(parameter)]))
}

/** Returns a parameter in OpenAPI form. */
export function parameterOf({ about, ...parameter }: Parameter): Part {
  const { schema } = parameter
  const separated = schema.type === 'array' && { style: 'form', explode: false }
  return { ...parameter, description: about, ...separated }
}
