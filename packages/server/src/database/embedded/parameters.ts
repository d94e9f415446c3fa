import { totalmem } from 'node:os'
import { type ClusterPaths, socket_port } from './place.ts'

const megabyte = 1024 * 1024

/** PostgreSQL server parameters. They are passed on every start, so a new release can change them. */
export function chooseParameters(place: ClusterPaths, durable: boolean): Record<string, string> {
  return { ...connections(place), ...memory(), ...behaviour, ...logging, ...(durable ? {} : careless) }
}

function connections(place: ClusterPaths) {
  return {
    listen_addresses: '',
    unix_socket_directories: `"${place.socket_dir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: String(socket_port),
    max_connections: '100',
    // An abandoned transaction would hold back vacuum and the readers of the event log.
    idle_in_transaction_session_timeout: '60s',
  }
}

function memory() {
  const available = Math.min(totalmem(), process.constrainedMemory() || Infinity) / megabyte
  const shared = Math.round(Math.min(1024, Math.max(128, available / 16)))
  return {
    shared_buffers: `${shared}MB`,
    effective_cache_size: `${Math.round(Math.max(512, available / 2))}MB`,
  }
}

const behaviour = {
  timezone: 'UTC',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  random_page_cost: '1.1',
  wal_compression: 'on',
  max_wal_size: '1GB',
  // Whoever needs a new file of the log would fill it with zeros first, for 50 to 250 ms, while others wait. Files that are used again,
  // as most are, are filled already.
  wal_init_zero: 'off',
  // What commits without waiting for the disk leaves its log to this writer. Every 200 ms, as is usual, so much would have gathered that
  // whoever does wait has to write it up first.
  wal_writer_delay: '10ms',
}

// Terse and without parameters, because row values such as e-mail addresses do not belong in a log.
const logging = {
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_error_verbosity: 'terse',
  log_min_duration_statement: '1s',
  log_parameter_max_length: '0',
}

const careless = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
