import { nodePlatform, openSqliteStorage, Recorder, silentLog } from '../src/index.ts'

/** Writes events as fast as possible, and prints each sequence once its event is on disk, until killed. */
const storage = openSqliteStorage(process.argv[2] as string, 'journal-of-power-loss')
const recorder = new Recorder(storage, storage.load(), nodePlatform(), silentLog)
for (;;) {
  const moment = { time: Date.now() * 1000, doubt: 0, is_sure: true }
  const command = { id: `command-${recorder.last_sequence}`, deadline: 1, outcome: null, reason: null }
  const { event, written } = recorder.append(
    { type: 'signal', gadget_id: 'gad_a', signal_id: 'bell' },
    moment,
    { type: 'command', command },
  )
  await written
  process.stdout.write(`${event.sequence}\n`)
}
