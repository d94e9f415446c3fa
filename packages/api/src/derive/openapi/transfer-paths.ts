import { tagOf } from './names.ts'
import { parameterOf } from './operations.ts'
import { errorReferences } from './responses.ts'
import { securityOf } from './security.ts'
import type { Transfer } from './transfers/transfer.ts'
import { listTransfers } from './transfers.ts'

type Part = Record<string, unknown>

/** Each has a path of its own. */
export function transferPaths(): Record<string, Part> {
  return Object.fromEntries(
    listTransfers().map(transfer => [
      transfer.path,
      { [transfer.method.toLowerCase()]: transferOperation(transfer) },
    ]),
  )
}

function transferOperation(transfer: Transfer): Part {
  const { id, resource, title, about, scopes, takes_ticket, parameters, body, answer, upgrade, errors } =
    transfer
  return {
    operationId: id,
    tags: [tagOf(resource)],
    summary: title,
    description: about,
    security: [...securityOf(scopes), ...(takes_ticket ? [{ ticket: [] }] : [])],
    parameters: parameters.map(parameterOf),
    ...(body && { requestBody: { required: true, content: body } }),
    responses: {
      ...(upgrade !== undefined && { 101: { description: upgrade } }),
      200: answer,
      ...errorReferences(errors),
    },
  }
}
