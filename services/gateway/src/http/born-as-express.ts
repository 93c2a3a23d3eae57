import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

export interface HttpClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse<IncomingMessage>;
}

/**
 * Classes whose objects have Express's prototypes from birth. Express puts its prototypes on every request and response,
 * which makes the engine give up on their shapes and costs several times what Node itself does for a request; put on an
 * object that has it already, a prototype costs nothing.
 */
export function bornAsExpress(app: Express): HttpClasses {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  adopt(ExpressRequest.prototype, app.request);
  adopt(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as Express['request'];
  app.response = ExpressResponse.prototype as Express['response'];
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

function adopt(prototype: object, parent: object): void {
  Object.setPrototypeOf(prototype, parent);
}

/** Whether the application will find its own prototypes on what the server makes; a start without it is refused. */
export function isBornAsExpress(app: Express, classes: HttpClasses): boolean {
  return app.request === classes.IncomingMessage.prototype && app.response === classes.ServerResponse.prototype;
}
