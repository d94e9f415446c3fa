import { render } from 'preact'

const root = document.getElementById('app')
if (root) render(<h1>Your access</h1>, root)
