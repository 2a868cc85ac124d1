package dev.runyard.local.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SampleJsonTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'STRING'} | 'scripted'
          {'type':'integer','minimum':3} | 3
          {'type':['boolean','null']} | false
          {'const':'x'} | 'x'
          {'anyOf':[{'type':'null'},{'type':'string'}]} | null
          {'type':'array','minItems':2,'items':{'type':'number'}} | [0,0]
          {'$ref':'#/$defs/a','$defs':{'a':{'enum':['b','c']}}} | 'b'
          {'properties':{'a':{'type':'string'},'b':{}},'required':['a']} | {'a':'scripted'}
          {'type':'array','items':{'$ref':'#'},'minItems':1} | [[[[[[[[{}]]]]]]]]
          """)
  void fitsTheSchema(String schema, String sample) throws IOException {
    assertEquals(sample.replace('\'', '"'), SampleJson.of(WireClient.json(schema)).toString());
  }
}
