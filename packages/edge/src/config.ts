import { readFileSync } from 'node:fs'
import { codeOf, messageOf } from '@gatehouse-access/core'
import { ConfigProblem } from './config-problem.ts'
import { type MqttConfig, parseMqttConfig } from './drivers/mqtt-config.ts'
import { Parser } from './parser.ts'

/** The contents of a config file: the hardware, and the devices that this controller is a gateway for. */
export interface FileConfig {
  readonly mqtt?: MqttConfig
  readonly devices: readonly { readonly hardware_id: string; readonly secret: string }[]
}

export function readConfigFile(path: string): FileConfig {
  const file = new Parser(parseJson(path, readText(path, 'The configuration file')), '')
  const config = {
    ...(file.has('mqtt') && { mqtt: parseMqttConfig(file.object('mqtt')) }),
    devices: file.list('devices').map(device => {
      const read = { hardware_id: device.text('hardware_id'), secret: readSecret(device.text('secret_file')) }
      device.end()
      return read
    }),
  }
  file.end()
  return config
}

/** Secrets are in separate files, so that a configuration file can be shared. */
export function readSecret(path: string): string {
  const secret = readText(path, 'The secret file').trim()
  if (secret === '') throw new ConfigProblem(`The secret file, ${path}, is empty.`)
  return secret
}

function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigProblem(`${what}, ${path}, cannot be read: ${codeOf(error)}.`)
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigProblem(`The configuration file, ${path}, is not valid JSON: ${messageOf(error)}.`)
  }
}
