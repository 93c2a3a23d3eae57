{{/* (list $ name): the settings of one service as JSON. mergeOverwrite, because merge and default lose 0 and false. */}}
{{- define "postroom.settings" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $own := index $root.Values.services $name -}}
{{- $settings := mergeOverwrite (deepCopy $root.Values.defaults) (deepCopy $own) -}}
{{- range $callee := $settings.calls -}}
{{- if not (hasKey $root.Values.services $callee) -}}
{{- fail (printf "services.%s.calls: there is no service %q" $name $callee) -}}
{{- end -}}
{{- if ne ((index $root.Values.services $callee).serves | default $root.Values.defaults.serves) "grpc" -}}
{{- fail (printf "services.%s.calls: %q does not answer gRPC" $name $callee) -}}
{{- end -}}
{{- end -}}
{{- range $key, $door := dict "operates" "operatorDoor" "logsIn" "accessDoor" -}}
{{- range $callee := index $settings $key -}}
{{- if not (index (index $root.Values.services $callee | default dict) $door) -}}
{{- fail (printf "services.%s.%s: %q has no %s" $name $key $callee $door) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with $settings.autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- fail (printf "services.%s.autoscaling: minReplicas is above maxReplicas" $name) -}}
{{- end -}}
{{- end -}}
{{- range $variable, $_ := $settings.secrets -}}
{{- if hasKey $settings.env $variable -}}
{{- fail (printf "services.%s: %s stands under env and under secrets; keep one" $name $variable) -}}
{{- end -}}
{{- end -}}
{{/* mergeOverwrite keeps the default's value over a null, and a null here means "take it away". */}}
{{- range $variable, $value := ($own.env | default dict) -}}
{{- if kindIs "invalid" $value -}}{{- $_ := set $settings.env $variable nil -}}{{- end -}}
{{- end -}}
{{- toJson $settings -}}
{{- end }}

{{/* The variable in which each engine's address is handed over. */}}
{{- define "postroom.engineVariables" -}}
mongodb: MONGODB_URI
redis: REDIS_URL
kafka: KAFKA_BROKERS
{{- end }}

{{/* (list $ name settings) */}}
{{- define "postroom.image" -}}
{{- $root := index . 0 -}}
{{- with (index . 2).image -}}
{{- $path := .repository | default (printf "postroom-%s" (index $ 1)) -}}
{{- $place := ternary (printf "%s/%s" .registry $path) $path (ne .registry "") -}}
{{- .ref | default (printf "%s:%s" $place (.tag | default $root.Chart.AppVersion)) -}}
{{- end -}}
{{- end }}

{{/* (list name settings): --max-old-space-size from the memory limit, or nothing where there is no limit. */}}
{{- define "postroom.heapFlag" -}}
{{- $settings := index . 1 -}}
{{- $limit := dig "limits" "memory" "" $settings.resources | toString -}}
{{- if $limit -}}
{{- if not (regexMatch "^[0-9]+(Mi|Gi)$" $limit) -}}
{{- fail (printf "services.%s.resources.limits.memory: the heap is sized from it, so write whole Mi or Gi, not %q" (index . 0) $limit) -}}
{{- end -}}
{{- $number := regexFind "^[0-9]+" $limit | int -}}
{{- $mebibytes := ternary (mul $number 1024) $number (hasSuffix "Gi" $limit) -}}
{{- printf "--max-old-space-size=%d" (div (mul $mebibytes (int $settings.heapPercent)) 100) -}}
{{- end -}}
{{- end }}
