import { createRoot } from 'react-dom/client';
import './styles.css';
import { App } from './app.tsx';
import { readStyleNonce } from './style-nonce.ts';
import { keepReturnedQuery } from './url/returned-query.ts';

keepReturnedQuery(window);
readStyleNonce();
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
