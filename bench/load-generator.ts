import autocannon, { type Options } from 'autocannon'

process.on('message', async (options: Options) => {
  const { requests, duration, errors, non2xx } = await autocannon(options)
  process.send?.({ a_second: requests.total / duration, failures: errors + non2xx })
})
process.on('disconnect', () => process.exit())
