import { spawnSync } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/**
 * Lets this process run only while nothing else wants to. The lowest priority alone does not do that: Linux lets a process
 * finish its slice of time first, and each request would wait for that. Systems without `chrt` keep the priority.
 */
export function giveWay(): void {
  setPriority(constants.priority.PRIORITY_LOW)
  spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)], { stdio: 'ignore' })
}
