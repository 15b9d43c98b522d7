// The Java that the server runs on, and its largest heap.
CALL dbms.queryJmx('java.lang:type=Runtime') YIELD attributes AS runtime
CALL dbms.queryJmx('java.lang:type=Memory') YIELD attributes AS memory
RETURN runtime.VmName.value + ' ' + runtime.VmVersion.value AS java,
  memory.HeapMemoryUsage.value.properties.max AS heap,
  memory.HeapMemoryUsage.value.properties.used AS used
