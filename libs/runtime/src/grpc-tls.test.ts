import { expect, it } from '@jest/globals';
import { grpcTlsOf } from './grpc-tls.ts';

it('TLS between services is whole or absent: half of it is refused by name', () => {
  const all = { GRPC_TLS_CERT: 'cert', GRPC_TLS_KEY: 'key', GRPC_TLS_CA: 'ca' };
  expect(grpcTlsOf(all)).toEqual({ cert: 'cert', key: 'key', ca: 'ca' });
  expect(grpcTlsOf({})).toBeUndefined();
  expect(() => grpcTlsOf({ ...all, GRPC_TLS_CA: undefined })).toThrow(/GRPC_TLS_CA go together/);
});
