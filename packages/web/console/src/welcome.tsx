export function Welcome() {
  return (
    <main>
      <h1>Gatehouse</h1>
      <p>
        <a href="/account">Your organizations</a> · <a href="/docs">Reference of the API</a>
      </p>
    </main>
  )
}
