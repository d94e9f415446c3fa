import { setTimeout as sleep } from 'node:timers/promises'

interface Readiness {
  consumer_lag_seconds: Record<string, number>
}

/** Waits until webhooks and audit have processed all events, whose load would distort the figures. */
export async function settle(url: string): Promise<void> {
  for (let lags = await readLags(url); lags.some(lag => lag > 0); lags = await readLags(url)) {
    console.log(`  consumers behind by ${Math.round(Math.max(...lags) / 86400)} days of events`)
    await sleep(10_000)
  }
}

async function readLags(url: string): Promise<number[]> {
  const readiness = (await (await fetch(`${url}/readyz`)).json()) as Readiness
  return Object.values(readiness.consumer_lag_seconds)
}
