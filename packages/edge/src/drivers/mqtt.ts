import mqtt, { type MqttClient } from 'mqtt'
import type { Log, Platform } from '../platform.ts'
import type { Driven, Driver, Inputs, Order, PowerStatus } from './driver.ts'
import { type Match, type MqttConfig, type MqttGadget, valueFor } from './mqtt-config.ts'

interface MqttOptions {
  readonly config: MqttConfig
  readonly password?: string
  readonly platform: Platform
  readonly log: Log
}

interface Waiting {
  readonly match: Match
  done(): void
}

/**
 * Keypads, readers and relays on an MQTT broker in the building. An order is published once, with QoS 0, and
 * never queued: a resend after a lost connection would open a door late. `confirm` tells whether the order
 * was carried out.
 */
export class MqttDriver implements Driver, AsyncDisposable {
  readonly #options: MqttOptions
  readonly #client: MqttClient
  readonly #waiting = new Set<Waiting>()

  constructor(options: MqttOptions, inputs: () => Inputs) {
    const { config, password, log } = options
    this.#options = options
    this.#client = mqtt.connect(config.url, {
      clean: true,
      queueQoSZero: false,
      reconnectPeriod: 1000,
      resubscribe: false,
      ...(config.username !== undefined && { username: config.username }),
      ...(password !== undefined && { password }),
    })
    this.#client.on('connect', () => this.#subscribe())
    this.#client.on('message', (topic, payload, { retain }) =>
      this.#receive(inputs(), topic, payload.toString('utf8'), retain),
    )
    this.#client.on('error', error =>
      log.error(`the broker cannot be reached: ${error.message || error.name}`),
    )
  }

  async run({ gadget_id, action_id, before }: Order): Promise<Driven> {
    const action = this.#options.config.gadgets.get(gadget_id)?.actions.get(action_id)
    if (!action) return failed('not_mapped')
    if (!this.#client.connected) return failed('broker_offline')
    const left = before - this.#options.platform.monotonic()
    if (left <= 0) return failed('late')
    const confirmed = action.confirm && this.#waitFor(action.confirm, left / 1000)
    this.#client.publish(action.topic, action.payload, { qos: 0, retain: false })
    return !confirmed || (await confirmed) ? { outcome: 'done' } : failed('no_confirmation')
  }

  power(): PowerStatus {
    return {}
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.endAsync(true)
  }

  #waitFor(match: Match, milliseconds: number): Promise<boolean> {
    return new Promise(resolve => {
      const end = (isDone: boolean) => {
        this.#waiting.delete(waiting)
        cancel()
        resolve(isDone)
      }
      const waiting = { match, done: () => end(true) }
      const cancel = this.#options.platform.later(milliseconds, () => end(false))
      this.#waiting.add(waiting)
    })
  }

  #subscribe(): void {
    const topics = topicsOf(this.#options.config)
    this.#options.log.info(`connected to the broker; ${topics.length} topics`)
    if (topics.length > 0) this.#client.subscribe(topics, { qos: 1 })
  }

  /** A retained message is a valid state, but not a current key press. */
  #receive(inputs: Inputs, topic: string, payload: string, isOld: boolean): void {
    for (const [id, gadget] of this.#options.config.gadgets)
      reportStates(inputs, id, gadget, topic, payload, isOld)
    if (isOld) return
    for (const { match, done } of [...this.#waiting])
      if (valueFor(match, topic, payload) !== undefined) done()
    for (const [id, gadget] of this.#options.config.gadgets)
      for (const signal of gadget.signals)
        if (valueFor(signal, topic, payload) !== undefined) inputs.reportSignal(id, signal.id)
    this.#enter(inputs, topic, payload)
  }

  #enter(inputs: Inputs, topic: string, payload: string): void {
    for (const input of this.#options.config.inputs) {
      const value = valueFor(input, topic, payload)
      if (value === undefined) continue
      if (input.type === 'keys')
        for (const key of value.match(/[0-9*#]/g) ?? []) inputs.press(input.hardware_id, key)
      else if (input.type === 'card')
        inputs.tap(input.hardware_id, value.replace(/[^0-9a-f]/gi, '').toUpperCase())
      else inputs.present(input.hardware_id, input.type, value.trim())
    }
  }
}

function reportStates(
  inputs: Inputs,
  id: string,
  gadget: MqttGadget,
  topic: string,
  payload: string,
  isOld: boolean,
): void {
  for (const state of gadget.states)
    if (valueFor(state, topic, payload) !== undefined) inputs.reportState(id, state.id, isOld)
}

function topicsOf({ gadgets, inputs }: MqttConfig): string[] {
  const matches = [...gadgets.values()].flatMap(({ actions, states, signals }) => [
    ...[...actions.values()].flatMap(({ confirm }) => confirm ?? []),
    ...states,
    ...signals,
  ])
  return [...new Set([...matches, ...inputs].map(({ topic }) => topic))]
}

function failed(reason: string): Driven {
  return { outcome: 'failed', reason }
}
