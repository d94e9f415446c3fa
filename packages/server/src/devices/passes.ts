import { RequestError } from '@gatehouse/api'

export interface PassRequest {
  readonly organization_id: string
  readonly member_id: string
  readonly device_id: string
  readonly now: string
}

/** Signs what a phone presents to a device by Bluetooth or NFC, at most 24 hours ahead. */
export interface PassIssuer {
  issue(request: PassRequest): Promise<{ pass: string; expires_at: string }>
}

/** A service whose devices verify no passes. */
export const noPasses: PassIssuer = {
  issue: async () => {
    throw new RequestError('unavailable', 'this service issues no passes for devices')
  },
}
