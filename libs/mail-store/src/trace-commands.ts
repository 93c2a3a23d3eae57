import type { mongo } from 'mongoose';
import type { Span } from '@postroom/runtime/span';
import type { Tracing } from '@postroom/runtime/tracing';

/** The driver sends these commands by itself, so they say nothing about a request. */
const CHATTER = new Set(['hello', 'ping', 'endSessions', 'buildInfo', 'killCursors']);

/** A span for each command. It has the command's name and collection, and no values of the caller. */
export function traceCommands(client: mongo.MongoClient, tracing: Tracing): void {
  const running = new Map<number, Span>();

  client.on('commandStarted', ({ commandName, command, databaseName, requestId }: mongo.CommandStartedEvent) => {
    if (CHATTER.has(commandName)) return;
    const target = (command as Record<string, unknown>)[commandName];
    const collection = typeof target === 'string' ? target : '';
    const attributes = { 'db.system.name': 'mongodb', 'db.namespace': databaseName, 'db.collection.name': collection };
    running.set(requestId, tracing.startSpan(`${commandName} ${collection}`, attributes, undefined, 'client'));
  });
  client.on('commandSucceeded', ({ requestId }: mongo.CommandSucceededEvent) => finish(running, requestId));
  client.on('commandFailed', ({ requestId, failure }: mongo.CommandFailedEvent) => {
    // The server's message may quote the caller's values: only the kind of error is kept.
    running.get(requestId)?.fail(new Error(failure.name));
    finish(running, requestId);
  });
}

function finish(running: Map<number, Span>, requestId: number): void {
  running.get(requestId)?.end();
  running.delete(requestId);
}
