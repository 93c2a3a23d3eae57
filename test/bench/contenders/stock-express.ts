import express from 'express';
import { pageOfFifty } from '../page.ts';
import { announce } from './report.ts';

const page = pageOfFifty();
const app = express();
app.get('/emails', (_request, response) => void response.json(page));
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  announce({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/emails` });
});
