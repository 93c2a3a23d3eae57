import { createRoot } from 'react-dom/client';
import './styles.css';
import { App } from './app.tsx';
import { readStyleNonce } from './style-nonce.ts';

readStyleNonce();
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
