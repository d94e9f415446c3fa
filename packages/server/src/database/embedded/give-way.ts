import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../flow/failures.ts'

/** A tenth of the share of others, of the processors that they want too: enough to end what holds locks. */
const niceness = 10
/** Linux tells one group within a tenth of a second. */
const again = 110
const mostTries = 20

/**
 * Has a backend leave the processors to others: whoever is woken interrupts it. On Linux, that counts only among the processes of a
 * session where sessions are scheduled as groups, and each backend is a session of its own, so its group is told, too.
 * A system that knows no groups, or does not let a process be told, lets it run like the others.
 */
export async function giveWay(pid: number): Promise<void> {
  try {
    setPriority(pid, niceness)
  } catch {}
  try {
    for (let left = mostTries; left > 0 && (await isBusy(pid)); left--)
      await sleep(again, undefined, { ref: false })
  } catch {}
}

async function isBusy(pid: number): Promise<boolean> {
  try {
    await writeFile(`/proc/${pid}/autogroup`, String(niceness), { flag: 'r+' })
    return false
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error
    return true
  }
}
