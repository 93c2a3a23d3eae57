import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  credentials,
  type GrpcObject,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';
import type { Json } from './client.ts';

const PROTO = join(__dirname, '../../proto');
const FOLDER = 'postroom/v1';

/** The protos as somebody reads them who has nothing of ours but the files: none of our generated code, nor of its codec. */
export function foreignDefinitions(): PackageDefinition {
  const files = readdirSync(join(PROTO, FOLDER)).map((file) => `${FOLDER}/${file}`);
  return loadSync(files, { includeDirs: [PROTO], longs: Number, defaults: true });
}

export function foreignServices(): GrpcObject {
  const { postroom } = loadPackageDefinition(foreignDefinitions());
  return (postroom as GrpcObject)['v1'] as GrpcObject;
}

/** The standard health service, by the proto that everybody has. */
export function foreignHealth(): GrpcObject[string] {
  const folder = join(dirname(require.resolve('grpc-health-check/package.json')), 'proto');
  const definition = loadSync('health/v1/health.proto', { includeDirs: [folder], enums: String, defaults: true });
  const { grpc } = loadPackageDefinition(definition);
  return (((grpc as GrpcObject)['health'] as GrpcObject)['v1'] as GrpcObject)['Health'] as GrpcObject[string];
}

interface ForeignClient {
  /** One call by its name in the proto; the workspace travels as metadata, as the services expect it. */
  call(method: string, request: object, workspaceId?: string): Promise<Json>;
  close(): void;
}

export function foreignClient(
  definition: GrpcObject[string] | undefined,
  address: string,
  token?: string,
): ForeignClient {
  const client = new (definition as ServiceClientConstructor)(address, credentials.createInsecure());
  return {
    call: (method, request, workspaceId) =>
      new Promise<Json>((resolve, reject) => {
        const metadata = new Metadata();
        if (token) metadata.set('authorization', `Bearer ${token}`);
        if (workspaceId) metadata.set('postroom-workspace', workspaceId);
        const done = (error: ServiceError | null, answer: Json) => (error ? reject(error) : resolve(answer));
        client[method]?.(request, metadata, { deadline: Date.now() + 10_000 }, done);
      }),
    close: () => client.close(),
  };
}
