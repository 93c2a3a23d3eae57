import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';

export interface HttpClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse<IncomingMessage>;
}

/**
 * Classes whose objects have Express's prototypes from birth. Express puts its prototypes on every request and response,
 * which makes the engine give up on their shapes and costs several times what Node itself does for a request; put on an
 * object that has it already, a prototype costs nothing. They are functions, as Node's own are: deriving a class from
 * them would cost each request a tenth of what Node does for it.
 */
export function withExpressPrototypes(app: Express): HttpClasses {
  function ExpressRequest(this: IncomingMessage, socket: Socket) {
    IncomingMessage.call(this, socket);
  }
  function ExpressResponse(this: ServerResponse, request: IncomingMessage, options: unknown) {
    (ServerResponse as unknown as typeof ExpressResponse).call(this, request, options);
  }
  // Along this line the engine counts the fields that an object will have. Cut off from Node's functions it would leave
  // no room for theirs, and move them out one by one, at a quarter of what Node does for a request.
  Object.setPrototypeOf(ExpressRequest, IncomingMessage);
  Object.setPrototypeOf(ExpressResponse, ServerResponse);
  app.request = ExpressRequest.prototype = Object.create(app.request) as Express['request'];
  app.response = ExpressResponse.prototype = Object.create(app.response) as Express['response'];
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse } as unknown as HttpClasses;
}

/** Whether the application will find its own prototypes on what the server makes; a start without it is refused. */
export function hasExpressPrototypes(app: Express, classes: HttpClasses): boolean {
  return app.request === classes.IncomingMessage.prototype && app.response === classes.ServerResponse.prototype;
}
