import type { JsonSchema } from '../kit/type.ts'
import { fromDevice } from './from-device.ts'
import { fromService } from './from-service.ts'
import { deviceProtocol } from './limits.ts'
import { passPayload } from './pass.ts'

/** Returns the protocol as JSON Schema, for firmware in any language. */
export function deviceProtocolSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `https://gatehouse.invalid/device-protocol-${deviceProtocol}.schema.json`,
    title: 'Gatehouse device protocol',
    description: 'Each WebSocket message is one JSON object in a text frame.',
    $defs: {
      from_device: fromDevice.schema,
      from_service: fromService.schema,
      pass: passPayload.schema,
    },
    oneOf: [{ $ref: '#/$defs/from_device' }, { $ref: '#/$defs/from_service' }],
  }
}
