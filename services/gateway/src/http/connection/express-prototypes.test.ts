import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { withExpressPrototypes, hasExpressPrototypes } from './express-prototypes.ts';

describe('requests born as Express wants them', () => {
  const app = express();
  const classes = withExpressPrototypes(app);
  const server = createServer(classes);
  afterEach(() => void server.close());

  it('never change their prototype on the way through Express, and still have all that Express adds', async () => {
    const seen: unknown[] = [];
    app.get('/it', (request, response) => {
      seen.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response), request.path, request.app === app);
      response.json({ ok: true });
    });
    server.on('request', (request, response) => {
      seen.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
      app(request as express.Request, response as express.Response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/it`);
    expect(await answer.json()).toEqual({ ok: true });
    expect(seen).toEqual([app.request, app.response, app.request, app.response, '/it', true]);
  });

  it('the classes descend from those of Node, by which the engine knows how much room their objects need', () => {
    expect(Object.getPrototypeOf(classes.IncomingMessage)).toBe(IncomingMessage);
    expect(Object.getPrototypeOf(classes.ServerResponse)).toBe(ServerResponse);
  });

  it('a start without them is noticed', () => {
    expect(hasExpressPrototypes(app, classes)).toBe(true);
    expect(hasExpressPrototypes(express(), classes)).toBe(false);
  });
});
