import { exampleOf } from '../derive/openapi/example-values.ts'
import { errorSchema } from '../derive/openapi/responses.ts'
import { closed } from '../derive/openapi/schemas.ts'
import { shape } from '../kit/compounds.ts'
import { type MemberEndpoint, memberEndpoints } from './endpoints.ts'

type Part = Record<string, unknown>

/** Returns the member API as an OpenAPI 3.1 document, derived from its declarations. */
export function memberOpenApi(baseUrl: string): Part {
  const byPath = Map.groupBy(memberEndpoints, ({ path }) => path)
  const paths = [...byPath].map(([path, group]) => [
    path,
    Object.fromEntries(group.map(endpoint => [endpoint.method.toLowerCase(), operationOf(endpoint)])),
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse member API',
      version: '1.0',
      summary: 'What members can do for themselves: see their doors, open them, and read their PINs.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This service.' }],
    tags: [...new Set(memberEndpoints.map(tagOf))].map(name => ({ name, description: `About ${name}.` })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: { error: errorSchema },
      securitySchemes: {
        member: { type: 'http', scheme: 'bearer', description: 'A session token or a member token.' },
      },
    },
  }
}

function tagOf({ path }: MemberEndpoint): string {
  return path.split('/')[1] ?? ''
}

function operationOf(endpoint: MemberEndpoint): Part {
  const { id, about, is_signed_in, params, body, answer } = endpoint
  return {
    operationId: id,
    tags: [tagOf(endpoint)],
    summary: about.split(/[.,;](?:\s|$)/)[0],
    description: about,
    security: is_signed_in ? [{ member: [] }] : [],
    ...(Object.keys(params).length > 0 && {
      parameters: Object.entries(params).map(([name, { schema }]) => ({
        name,
        in: 'path',
        required: true,
        description: `ID of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}.`,
        schema,
        example: exampleOf(schema),
      })),
    }),
    ...(body && { requestBody: { required: requiresBody(body), content: json(closed(shape(body).schema)) } }),
    responses: {
      200: { description: 'Done.', content: json(answer.schema) },
      ...Object.fromEntries(
        errorsOf(endpoint).map(([status, description]) => [status, errorAnswer(description)]),
      ),
    },
  }
}

function requiresBody(body: NonNullable<MemberEndpoint['body']>): boolean {
  return Object.values(body).some(part => part.required)
}

function errorsOf({ id, is_signed_in, params }: MemberEndpoint): (readonly [number, string])[] {
  return [
    [400, 'The request breaks a rule. `args.field` names the field.'],
    ...(is_signed_in || id !== 'email_code.send'
      ? [[401, 'The token is missing, unknown or expired, or the link or code is wrong.'] as const]
      : []),
    ...(is_signed_in ? [[403, 'Not allowed. `args.reason` is a stable code.'] as const] : []),
    ...(Object.keys(params).length > 0 ? [[404, 'Not found.'] as const] : []),
    ...(id === 'gadget.run_action'
      ? [
          [409, 'The device is offline. Nothing was done.'] as const,
          [504, 'The device did not confirm in time.'] as const,
        ]
      : []),
    [429, 'Too many requests or attempts. Retry after `Retry-After` seconds.'],
    [503, 'The service is temporarily unavailable.'],
  ]
}

function errorAnswer(description: string): Part {
  return { description, content: json({ $ref: '#/components/schemas/error' }) }
}

function json(schema: Part | object): Part {
  return { 'application/json': { schema } }
}
