import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { withExpressPrototypes } from '../../../services/gateway/src/http/connection/express-prototypes.ts';
import { pageOfFifty } from '../page.ts';
import { announce } from './report.ts';

// Express as the gateway uses it, with nothing of the gateway in it; or with its prototypes put on each request.
const body = Buffer.from(JSON.stringify(pageOfFifty()));
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': String(body.length) };
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.get('/emails', (_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
// With a last word of our own, as in the gateway, Express makes none for each request.
const listener = (request: IncomingMessage, response: ServerResponse) =>
  app(request as Request, response as Response, () => response.writeHead(404).end());
const classes = process.argv.includes('--put-on') ? {} : withExpressPrototypes(app);
const server = createServer(classes, listener);
server.listen(0, '127.0.0.1', () => {
  announce({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/emails` });
});
